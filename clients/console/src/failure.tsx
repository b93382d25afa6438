/** Why something could not be read; null: it could. */
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
