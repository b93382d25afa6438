// Where servers may differ without ours being wrong. `kKnown`: the other one departs from DynamoDB, with what says so.
// `kDeliberate`: ours does, on purpose; docs/tables.md repeats each with its reason.

export const kKnown = [
];

export const kDeliberate = [
];
