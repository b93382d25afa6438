/** What a key does here. `keys`: one key, or several one after the other, such as `g q`. */
export interface Shortcut {
  keys: string;
  /** What it does, in words for the list of shortcuts. */
  words: string;
  act: () => void;
}

const kTogetherMs = 1_200;

/** Puts single keys together. Not for keys that are typed into a field: whoever calls it leaves those out. */
export class KeyReader {
  private begun: string[] = [];
  private lastAt = -Infinity;

  /** `at`: when the key was pressed, in ms. The shortcut that is complete with it; null: none is, so far. */
  read(key: string, at: number, shortcuts: readonly Shortcut[]): Shortcut | null {
    const before = at - this.lastAt <= kTogetherMs ? this.begun : [];
    this.lastAt = at;
    for (const tried of before.length === 0 ? [[key]] : [[...before, key], [key]]) {
      const keys = tried.join(' ');
      const found = shortcuts.find((shortcut) => shortcut.keys === keys);
      if (found !== undefined) {
        this.begun = [];
        return found;
      }
      if (shortcuts.some((shortcut) => shortcut.keys.startsWith(`${keys} `))) {
        this.begun = tried;
        return null;
      }
    }
    this.begun = [];
    return null;
  }
}

/** The part of an element that tells whether it takes keys for itself. */
interface Target {
  tagName: string;
  isContentEditable?: boolean;
  type?: string;
}

const kKeyTakers = ['TEXTAREA', 'SELECT'];
const kNotTyped = ['checkbox', 'radio', 'button', 'submit'];

/** Text is typed there, so letters are no shortcuts. */
export function takesKeys(target: Target | null): boolean {
  if (target === null) return false;
  if (target.tagName === 'INPUT') return !kNotTyped.includes(target.type ?? 'text');
  return kKeyTakers.includes(target.tagName) || target.isContentEditable === true;
}
