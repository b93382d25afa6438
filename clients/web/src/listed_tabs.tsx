import { tabOf, type Fields, type TabName, type ThreadState } from '@parley/sdk';
import { money } from '@parley/shared';
import { useEffect } from 'react';
import { cardTitle, words } from './card_text.js';
import { useClient } from './client_context.js';
import { FileView } from './file_view.js';
import { finalFacts, tabFileFacts, type FileFacts } from './files.js';
import type { TabProps } from './tab_editing.js';

// The read-only tabs: services write them, or they derive from the cards.

function rows(thread: ThreadState, tab: TabName, list: string): Fields[] {
  const value = tabOf(thread.panel, tab).content[list];
  return Array.isArray(value) ? (value as Fields[]) : [];
}

function amount(cents: unknown, currency: unknown): string {
  return typeof cents === 'number' ? money(cents, text(currency)) : '';
}

function Listed({ title, items, empty }: { title: string; items: readonly { key: string; text: string; more: string }[]; empty: string }) {
  return (
    <>
      <h3>{title}</h3>
      {items.length === 0 ? <p className="muted">{empty}</p> : null}
      <ul className="panel-list">
        {items.map(({ key, text, more }) => (
          <li key={key} data-testid="panel-item">
            <span dir="auto">{text}</span>
            <small className="muted">{more}</small>
          </li>
        ))}
      </ul>
    </>
  );
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function FilesTab({ thread }: TabProps) {
  const finals = rows(thread, 'files', 'finals');
  return (
    <>
      <h3>Proofs</h3>
      <Files items={rows(thread, 'files', 'proofs').map(tabFileFacts)} empty="No proofs yet." />
      <h3>Finals</h3>
      {finals.length === 0 ? <p className="muted">No finals yet.</p> : null}
      {finals.map((final, at) => (
        <section key={at} className="delivery" data-testid="delivery">
          <FileView file={finalFacts(final)} testId="panel-item" />
          {Array.isArray(final['entries']) ? <Files items={(final['entries'] as Fields[]).map(tabFileFacts)} empty="" /> : null}
        </section>
      ))}
    </>
  );
}

function Files({ items, empty }: { items: readonly FileFacts[]; empty: string }) {
  if (items.length === 0) return empty === '' ? null : <p className="muted">{empty}</p>;
  return (
    <ul className="files">
      {items.map((file, at) => (
        <li key={at}>
          <FileView file={file} testId="panel-item" />
        </li>
      ))}
    </ul>
  );
}

export function DocsTab({ thread }: TabProps) {
  const items = rows(thread, 'docs', 'envelopes').map((item) => ({
    key: text(item['docId']),
    text: text(item['title']) || text(item['docId']),
    more: words(text(item['status'])),
  }));
  return <Listed title="Documents" items={items} empty="No documents yet." />;
}

export function ExpensesTab({ thread }: TabProps) {
  const { content } = tabOf(thread.panel, 'expenses');
  const items = rows(thread, 'expenses', 'lines').map((item) => ({
    key: text(item['lineId']),
    text: text(item['title']) || words(text(item['kind'])),
    more: amount(item['amountCents'], content['currency']),
  }));
  return (
    <>
      <Listed title="Expenses" items={items} empty="No expenses yet." />
      {items.length > 0 ? <p data-testid="expenses-total">Total: {amount(content['totalCents'], content['currency'])}</p> : null}
    </>
  );
}

/** The open cards. This tab has no event of its own: every change of a card changes it. */
export function ActionsTab({ thread }: TabProps) {
  const client = useClient();
  const { threadId, cards } = thread;
  useEffect(() => {
    void client.project.readTab(threadId, 'actions').catch(() => undefined); // the next change of a card retries
  }, [client, threadId, cards]);
  const items = rows(thread, 'actions', 'cards').map((item) => ({
    key: text(item['messageId']),
    text: cardTitle(text(item['type'])),
    more: words(text(item['state'])),
  }));
  return <Listed title="Open cards" items={items} empty="No actions are open." />;
}
