/** A keyboard shortcut. `keys`: one key, or several in sequence, such as `g q`. */
export interface Shortcut {
  keys: string;
  /** Its effect, in words for the list of shortcuts. */
  words: string;
  act: () => void;
}

const kTogetherMs = 1_200;

/** Combines single keys into shortcuts. The caller must skip keys typed into a field. */
export class KeyReader {
  private begun: string[] = [];
  private lastAt = -Infinity;

  /** Returns the shortcut that this key completes, or null. `at`: when the key was pressed, in ms. */
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

/** The properties of an element that decide whether it takes keys for itself. */
interface Target {
  tagName: string;
  isContentEditable?: boolean;
  type?: string;
}

const kKeyTakers = ['TEXTAREA', 'SELECT'];
const kNotTyped = ['checkbox', 'radio', 'button', 'submit'];

/** Returns true if the element accepts text, so that letters typed there are not shortcuts. */
export function takesKeys(target: Target | null): boolean {
  if (target === null) return false;
  if (target.tagName === 'INPUT') return !kNotTyped.includes(target.type ?? 'text');
  return kKeyTakers.includes(target.tagName) || target.isContentEditable === true;
}
