import { describe, expect, it } from 'vitest';

// The sources of all workspaces as text, by path from here. Type imports count, too.
const shared = import.meta.glob<string>('../src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
const web = import.meta.glob<string>('../../web/src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
const console = import.meta.glob<string>('../../console/src/**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
const sdk = import.meta.glob<string>('../../sdk/src/**/*.ts', { query: '?raw', import: 'default', eager: true });

type Graph = ReadonlyMap<string, readonly string[]>;

const kEntry = { '@parley/sdk': '/sdk/src/index', '@parley/shared': '/shared/src/index' };
const moduleOf = (path: string): string => new URL(path, 'file:///shared/test/').pathname.replace(/\.(js|tsx?)$/, '');

/** Returns the imports of each module: `import … from`, `export … from`, `import '…'` and `import('…')`. */
function graphOf(sources: Readonly<Record<string, string>>): Graph {
  const graph = new Map<string, string[]>();
  for (const [path, text] of Object.entries(sources)) {
    const from = moduleOf(path);
    const named = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, target]) => target!);
    const own = named.filter((target) => target.startsWith('.') && !target.endsWith('.css'));
    const shared = named.filter((target) => target in kEntry).map((target) => kEntry[target as keyof typeof kEntry]);
    graph.set(from, [...own.map((target) => new URL(target, `file://${from}`).pathname.replace(/\.js$/, '')), ...shared]);
  }
  return graph;
}

/** Returns one import cycle, or null. */
function circleIn(graph: Graph): string[] | null {
  const done = new Set<string>();
  const walk = (module: string, path: readonly string[]): string[] | null => {
    const at = path.indexOf(module);
    if (at >= 0) return [...path.slice(at), module];
    if (done.has(module)) return null;
    done.add(module);
    for (const next of graph.get(module) ?? []) {
      const circle = walk(next, [...path, module]);
      if (circle !== null) return circle;
    }
    return null;
  };
  for (const module of graph.keys()) {
    const circle = walk(module, []);
    if (circle !== null) return circle;
  }
  return null;
}

describe('the imports of the pages and the SDK', () => {
  const graph = graphOf({ ...web, ...console, ...shared, ...sdk });

  it('are all found, and name existing files', () => {
    expect(graph.get('/web/src/main')).toContain('/web/src/app');
    expect(graph.get('/web/src/chat')).toContain('/sdk/src/index');
    const missing = [...graph].flatMap(([from, named]) => named.filter((to) => !graph.has(to)).map((to) => `${from} → ${to}`));
    expect(missing).toEqual([]);
  });

  it('contain no cycle', () => {
    expect(circleIn(graph)).toBeNull();
  });

  it('lead only from the pages to the shared sources and from there to the SDK', () => {
    const kMay: Record<string, readonly string[]> = { sdk: [], shared: ['sdk'], web: ['shared', 'sdk'], console: ['shared', 'sdk'] };
    const partOf = (module: string): string => module.split('/')[1]!;
    const wrong = [...graph].flatMap(([from, named]) =>
      named.filter((to) => partOf(to) !== partOf(from) && !kMay[partOf(from)]!.includes(partOf(to))).map((to) => `${from} → ${to}`),
    );
    expect(wrong).toEqual([]);
  });

  it('would be reported as a cycle, also if only types are imported', () => {
    const sources = { '../src/a.ts': "import { b } from './b.js';", '../src/b.tsx': "import type { A } from './c.js';", '../src/c.ts': "export * from './a.js';" };
    expect(circleIn(graphOf(sources))).toEqual(['/shared/src/a', '/shared/src/b', '/shared/src/c', '/shared/src/a']);
  });
});
