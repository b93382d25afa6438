import { displayName, initials, tintOf } from './format.js';

const kTints = 6;

/** Decoration: the name always stands beside it. */
export function Avatar({ id, name, online, group }: { id: string | null; name?: string; online?: boolean | undefined; group?: boolean }) {
  return (
    <span className="avatar" data-tint={tintOf(id ?? '', kTints)} data-group={group === true} aria-hidden="true">
      {initials(name ?? displayName(id))}
      {online === undefined ? null : <span className="presence-dot" data-online={online} />}
    </span>
  );
}
