import { initials, tintOf } from './format.js';
import { useNames } from './names_context.js';

const kTints = 6;

/** Decorative: the name is always next to it. */
export function Avatar({ id, name, online, group }: { id: string | null; name?: string; online?: boolean | undefined; group?: boolean }) {
  const nameOf = useNames();
  return (
    <span className="avatar" data-tint={tintOf(id ?? '', kTints)} data-group={group === true} aria-hidden="true">
      {initials(name ?? nameOf(id))}
      {online === undefined ? null : <span className="presence-dot" data-online={online} />}
    </span>
  );
}
