import { hintOf } from '@parley/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';

/** Finds the address of a file's bytes; `fresh`: the last one did not work. */
export type AskUrl = (fresh: boolean) => Promise<string>;

interface FoundUrl {
  url: string | null;
  /** The reason for a missing picture, in words for people. */
  failure: string | null;
  /** For onError of an image or player: asks once for another address. */
  onError: () => void;
}

/** REQUIRES: `ask` changes only if the file does. */
export function useFileUrl(ask: AskUrl): FoundUrl {
  const [url, setUrl] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const round = useRef(0);
  const tried = useRef(false);
  const find = useCallback(
    (fresh: boolean) => {
      const mine = ++round.current;
      const current = (): boolean => round.current === mine;
      ask(fresh).then(
        (found) => (current() ? setUrl(found) : undefined),
        (error: unknown) => (current() ? setFailure(hintOf(error)) : undefined),
      );
    },
    [ask],
  );
  useEffect(() => {
    setFailure(null);
    tried.current = false;
    find(false);
    return () => void ++round.current;
  }, [find]);
  const onError = useCallback(() => {
    if (tried.current) setFailure('This cannot be shown.');
    else find(true);
    tried.current = true;
  }, [find]);
  return { url, failure, onError };
}

interface FileImageProps {
  ask: AskUrl;
  alt: string;
  /** In pixels, to reserve its place. */
  size: { w: number | null; h: number | null };
  testId: string;
}

/** A picture that is stored on the server. */
export function FileImage({ ask, alt, size: { w, h }, testId }: FileImageProps) {
  const { url, failure, onError } = useFileUrl(ask);
  const place = w !== null && h !== null ? { width: w, height: h } : {};
  if (failure !== null) return <span className="image-failed">{failure}</span>;
  if (url === null) return <span className="image-waiting" style={w !== null && h !== null ? { aspectRatio: `${w} / ${h}` } : undefined} />;
  return <img src={url} alt={alt} draggable={false} decoding="async" data-testid={testId} onError={onError} {...place} />;
}
