import { fullTime, shortWhen, useToday } from '@parley/shared';

/** A short time, with the full one as tooltip. */
export function When({ at, long = false }: { at: string; long?: boolean }) {
  useToday();
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return <>{at}</>;
  return (
    <time dateTime={at} title={fullTime(ms)}>
      {long ? fullTime(ms) : shortWhen(ms, Date.now())}
    </time>
  );
}
