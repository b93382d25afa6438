import { useEffect, useState } from 'react';

/** Returns the files of a drop or paste without folders, which cannot be read as a file. */
export function filesIn(data: DataTransfer): File[] {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  return items.flatMap((item) => (item.webkitGetAsEntry?.()?.isDirectory === true ? [] : (item.getAsFile() ?? [])));
}

const bringsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/**
 * Takes files that are dropped anywhere on the page; null: not now, but then the browser must not open them in place of the
 * page either. Returns true while files are dragged over the page.
 */
export function useDroppedFiles(onFiles: ((files: readonly File[]) => void) | null): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      event.dataTransfer!.dropEffect = onFiles === null ? 'none' : 'copy';
      setOver(onFiles !== null);
    };
    const onLeave = (event: DragEvent): void => (event.relatedTarget === null ? setOver(false) : undefined);
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (!bringsFiles(event)) return;
      event.preventDefault();
      const files = filesIn(event.dataTransfer!);
      if (files.length > 0) onFiles?.(files);
    };
    addEventListener('dragover', onOver);
    addEventListener('dragleave', onLeave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onOver);
      removeEventListener('dragleave', onLeave);
      removeEventListener('drop', onDrop);
    };
  }, [onFiles]);
  return over;
}
