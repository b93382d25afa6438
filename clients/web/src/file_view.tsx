import { Icon, type IconName } from '@parley/shared';
import type { FileFacts } from './files.js';

const kIcons: Readonly<Record<FileFacts['sort'], IconName>> = {
  image: 'image',
  video: 'play',
  audio: 'play',
  archive: 'archive',
  text: 'file',
  list: 'board',
  other: 'file',
};

export function fileIcon(sort: FileFacts['sort']): IconName {
  return kIcons[sort];
}

/** A file by name, type and size. Showing it never loads it. */
export function FileView({ file, testId }: { file: FileFacts; testId: string }) {
  const { name, facts, href, sort } = file;
  const shown = (
    <>
      <span className="file-icon">
        <Icon name={kIcons[sort]} size={20} />
      </span>
      <span className="file-text">
        <span className="file-name" dir="auto">
          {name}
        </span>
        <small className="muted">{facts.join(' · ')}</small>
      </span>
    </>
  );
  return href === null ? (
    <span className="file" data-testid={testId}>
      {shown}
    </span>
  ) : (
    <a className="file" data-testid={testId} href={href} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
    </a>
  );
}
