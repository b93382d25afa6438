// Finds functions in C++ source, so that a mutation names its function and needs text that is unique only there.

/** Literals and comments, in which brackets do not count, and brackets. */
const kTokens = /\/\/.*|\/\*[\s\S]*?\*\/|R"(\w*)\([\s\S]*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'|[(){}]/g;

/** Returns the position after the bracket that closes the one at `open`. */
function closed(source, open) {
  const tokens = new RegExp(kTokens);
  tokens.lastIndex = open;
  let depth = 0;
  for (let token; (token = tokens.exec(source));) {
    if (token[0] === '(' || token[0] === '{') ++depth;
    if ((token[0] === ')' || token[0] === '}') && --depth === 0) return tokens.lastIndex;
  }
  return source.length;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\~]/g, '\\$&');

/** The ranges [from, to) of the definitions of `name`: from the name to the end of the body. */
function definitions(source, name) {
  const found = [];
  for (const {index} of source.matchAll(new RegExp(`(?<![\\w:.>~])${escaped(name)}\\(`, 'g'))) {
    const after = closed(source, index + name.length);
    // A call is followed by something else than these, or by ";".
    const body = /^\s*(?:(?:const|noexcept|override|final)\s+)*(?:(?:->|:)\s[^;]*?\s)?\{/.exec(source.slice(after));
    if (body) found.push([index, closed(source, after + body[0].length - 1)]);
  }
  return found;
}

function classBodies(source, name) {
  return [...source.matchAll(new RegExp(`\\b(?:class|struct) ${escaped(name)}\\b[^;{]*\\{`, 'g'))]
    .map((match) => [match.index, closed(source, match.index + match[0].length - 1)]);
}

/**
 * Returns the ranges of the functions of that name: "Free", "Class::Method" or "Class::Inner::Method", whether the
 * method is defined in its class or outside; each overload has a range.
 */
export function functionsOf(source, name) {
  const outside = definitions(source, name);
  const [scope, ...rest] = name.split('::');
  if (outside.length > 0 || rest.length === 0) return outside;
  return classBodies(source, scope).flatMap(([from, to]) =>
    functionsOf(source.slice(from, to), rest.join('::')).map(([a, b]) => [from + a, from + b]));
}
