import type { Message, Reaction } from '@parley/sdk';
import { Icon, listNames, Menu, MenuItem, type NameOf, useAttempt, useNames } from '@parley/shared';
import { useClient } from './client_context.js';

/** The emojis in the picker. The viewer can add any other existing reaction by its chip. */
const kOffered: readonly (readonly [emoji: string, name: string])[] = [
  ['👍', 'Thumbs up'],
  ['❤️', 'Heart'],
  ['😂', 'Laughing'],
  ['🎉', 'Party'],
  ['😮', 'Surprised'],
  ['😢', 'Sad'],
  ['🙏', 'Thank you'],
  ['👀', 'Looking'],
  ['✅', 'Done'],
  ['🔥', 'Fire'],
  ['👏', 'Applause'],
  ['💯', 'Hundred points'],
];

function useReact(message: Message): (emoji: string, on: boolean) => void {
  const client = useClient();
  const attempt = useAttempt();
  return (emoji, on) => void attempt(() => client.messages.react(message.threadId, message.messageId, emoji, on));
}

export function reactedBy(reactions: readonly Reaction[], emoji: string, userId: string): boolean {
  return reactions.some((reaction) => reaction.emoji === emoji && reaction.userIds.includes(userId));
}

/** The server lists only the first users, but counts all. */
export function countOf({ count = 0, userIds }: Reaction): number {
  return Math.max(count, userIds.length);
}

const kNamed = 6;

export function whoText(reaction: Reaction, userId: string, nameOf: NameOf): string {
  const others = reaction.userIds.filter((id) => id !== userId);
  const named = others.slice(0, kNamed);
  const own = others.length < reaction.userIds.length;
  const unnamed = countOf(reaction) - named.length - (own ? 1 : 0);
  const names = unnamed > 0 ? `${named.map(nameOf).join(', ')} and ${unnamed} more` : listNames(named, nameOf, kNamed);
  if (!own) return names;
  return named.length === 0 && unnamed === 0 ? 'you' : `you, ${names}`;
}

/** A chip per emoji with its count, pressed if the viewer reacted with it. */
export function Reactions({ message, userId, writable }: { message: Message; userId: string; writable: boolean }) {
  const react = useReact(message);
  const nameOf = useNames();
  const reactions = message.reactions ?? [];
  if (reactions.length === 0) return null;
  return (
    <div className="reactions" role="group" aria-label="Reactions" data-testid="reactions">
      {reactions.map((reaction) => {
        const own = reaction.userIds.includes(userId);
        const who = whoText(reaction, userId, nameOf);
        return (
          <button
            key={reaction.emoji}
            type="button"
            className="reaction"
            data-testid="reaction"
            data-emoji={reaction.emoji}
            data-count={countOf(reaction)}
            aria-pressed={own}
            aria-label={`${reaction.emoji} ${countOf(reaction)}: ${who}`}
            title={who}
            disabled={!writable}
            onClick={() => react(reaction.emoji, !own)}
          >
            <span aria-hidden="true">{reaction.emoji}</span> {countOf(reaction)}
          </button>
        );
      })}
    </div>
  );
}

export function ReactionPicker({ message, userId }: { message: Message; userId: string }) {
  const react = useReact(message);
  return (
    <Menu label="React" testId="message-react" button={<Icon name="smile" size={16} />} grid>
      {kOffered.map(([emoji, name]) => {
        const own = reactedBy(message.reactions ?? [], emoji, userId);
        return (
          <MenuItem key={emoji} testId="react-with" data={{ 'data-emoji': emoji }} label={name} checked={own} onSelect={() => react(emoji, !own)}>
            {emoji}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
