/** How many rounds a test runs: those of `scripts/test --nightly`, else those of every day, unless the variable `name` says. */
export const rounds = (name, {daily, nightly}) => Number(process.env[name] ?? (process.env.PARLEY_NIGHTLY ? nightly : daily));
