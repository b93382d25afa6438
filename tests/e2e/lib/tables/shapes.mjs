// Tables of a test's own that several files use.
export const key = (name, type = 'S') => ({name, type});
export const kHashOnly = {name: 'hash-only', keys: {hash: key('id')}};
export const kRanged = (type = 'S') => ({name: `ranged-${type}`, keys: {hash: key('p'), range: key('r', type)}});
export const column = (rows, name) => rows.map((row) => row[name]);

export const kIndexed = {name: 'indexed', keys: {hash: key('p'), range: key('r')}, indexes: [
  {name: 'number-hash', kind: 'global', hash: key('n', 'N'), range: key('m', 'N')},
  {name: 'by-base', kind: 'global', hash: key('g'), range: key('p')},
  {name: 'hash-only', kind: 'global', hash: key('g')},
  {name: 'keys-only', kind: 'global', hash: key('g'), range: key('r'), projection: {ProjectionType: 'KEYS_ONLY'}},
  {name: 'include', kind: 'global', hash: key('g'), range: key('r'), projection: {ProjectionType: 'INCLUDE', NonKeyAttributes: ['one']}},
  {name: 'local-number', kind: 'local', hash: key('p'), range: key('m', 'N')},
]};
