const kPaths = {
  archive: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4',
  back: 'M15 5l-7 7 7 7',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.500 2h-15zM10 21h4',
  bellOff: 'M6 16V11a6 6 0 0 1 9.500-4.900M18 11v5l1.500 2H8M10 21h4M4 4l16 16',
  board: 'M4 5h16v14H4zM4 10h16M10 10v9',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  clip: 'M8 12.500l6.500-6.500a3 3 0 0 1 4.200 4.200l-8.400 8.400a5 5 0 0 1-7-7L11.500 3.500',
  close: 'M6 6l12 12M18 6L6 18',
  chevron: 'M6 9l6 6 6-6',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.500l3 2',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
  down: 'M12 5v14M6 13l6 6 6-6',
  download: 'M12 4v11M7 10.500l5 5 5-5M5 20h14',
  edit: 'M4 20l1-4L16.500 4.500l3 3L8 19zM14 7l3 3',
  flag: 'M6 21V4M6 5h11l-2.500 4 2.500 4H6',
  eyeOff: 'M4 4l16 16M9.500 5.800A9 9 0 0 1 12 5.500c5 0 8.500 6.500 8.500 6.500a15 15 0 0 1-3 3.800M6.500 7.500A14 14 0 0 0 3.500 12s3.500 6.500 8.500 6.500c1.300 0 2.600-.400 3.700-1',
  file: 'M7 3.500h7l4 4V20.500H7zM14 3.500v4h4',
  history: 'M4 12a8 8 0 1 0 2.500-5.800M4 4v4h4M12 8v4.500l3 2',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9.500h.01',
  label: 'M4 4h8l8 8-8 8-8-8zM8.500 8.500h.01',
  left: 'M15 5l-7 7 7 7',
  people: 'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c0-3.500 2.800-6 6.500-6s6.500 2.500 6.500 6M16 4.500a3.500 3.500 0 0 1 0 6.500M18 14.500c2.200.800 3.500 2.800 3.500 5.500',
  pin: 'M9 4h6l-.500 6 3 3v2h-11v-2l3-3zM12 15v6',
  play: 'M4 5h16v14H4zM10 9l5 3-5 3z',
  plus: 'M12 5v14M5 12h14',
  reply: 'M10 6l-6 6 6 6M4 12h9a7 7 0 0 1 7 7',
  right: 'M9 5l7 7-7 7',
  send: 'M4 12l16-7-5.500 15-3-6.500zM11.500 13.500L20 5',
  shield: 'M12 3.500l7 2.500v5.500c0 4.500-3 7.500-7 9-4-1.500-7-4.500-7-9V6z',
  smile: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM9 10h.01M15 10h.01M8.500 14c1.800 2.300 5.200 2.300 7 0',
  trash: 'M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5',
} as const;

export type IconName = keyof typeof kPaths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true" focusable="false">
      <path d={kPaths[name]} stroke="currentColor" strokeWidth={name === 'dots' ? 2.8 : 1.8} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
