/**
 * Grey shapes in place of content that is loading, so that nothing moves when it arrives. Screen readers read the
 * words.
 */
export function Skeleton({ of, rows }: { of: 'entries' | 'messages' | 'panel'; rows: number }) {
  return (
    <div className="skeleton" data-testid="skeleton" data-of={of} role="status">
      <span className="visually-hidden">Loading…</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton-row" aria-hidden="true">
          <span className="skeleton-round" />
          <span className="skeleton-lines">
            <span className="skeleton-line" />
            <span className="skeleton-line" />
          </span>
        </div>
      ))}
    </div>
  );
}
