/** Shows why loading failed; null: it did not fail. */
export function Failure({ failure, onRetry }: { failure: string | null; onRetry: () => void }) {
  if (failure === null) return null;
  return (
    <p className="form-error" role="alert" data-testid="failure">
      {failure}{' '}
      <button type="button" className="link-button" onClick={onRetry}>
        Try again
      </button>
    </p>
  );
}
