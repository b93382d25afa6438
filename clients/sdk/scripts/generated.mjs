// The sources that are made from the protocol, by file name.
import { compactRules } from './compact_rules.mjs';
import { wireTypes } from './wire_types.mjs';

const kNote = "// Written by `npm run rules -w @parley/sdk` from the server's AsyncAPI document; a test compares.\n\n";

/** What the SDK names; whatever these refer to comes with them. */
const kTypes = [
  'Thread', 'Participant', 'Me', 'Message', 'Card', 'Tab', 'Entry', 'Folder', 'UserName', 'BlockedUser', 'ChangeItem', 'MessageVersion',
  'SessionHelloReply', 'ThreadOpenReply', 'ThreadChangesReply', 'InboxCountsReply', 'MessageSendReply', 'ReportReply',
  'Case', 'CaseReport', 'CaseContext', 'CaseStats', 'ModeratedUser', 'ModerationQueueReply', 'ModerationCaseOpReply', 'ModerationThreadsReply', 'ModerationAuditReply',
];

export const generated = () => ({
  'compact_rules.ts': kNote + compactRules(),
  'wire_types.ts': `${kNote}${wireTypes(kTypes)}`,
});
