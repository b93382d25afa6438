// The sources generated from the protocol, by file name.
import { compactRules } from './compact_rules.mjs';
import { wireTypes } from './wire_types.mjs';

const kNote = "// Written by `npm run rules -w @parley/sdk` from the server's AsyncAPI document; a test compares.\n\n";

/** The schemas that the SDK names, by source file; the schemas they refer to are added automatically. */
const kTypes = {
  'file_types.ts': ['Attachment'],
  'wire_types.ts': ['Thread', 'Participant', 'Me', 'Message', 'Card', 'Tab', 'Entry', 'Folder', 'UserName', 'BlockedUser', 'ChangeItem'],
  'reply_types.ts': ['SessionHelloReply', 'ThreadOpenReply', 'ThreadChangesReply', 'InboxCountsReply', 'MessageSendReply'],
  'staff_types.ts': ['ReportReply', 'MessageVersion', 'Case', 'CaseReport', 'CaseContext', 'CaseStats', 'ModeratedUser', 'ModerationQueueReply', 'ModerationCaseOpReply', 'ModerationThreadsReply', 'ModerationAuditReply'],
};

export const generated = () => ({
  'compact_rules.ts': kNote + compactRules(),
  ...Object.fromEntries(Object.entries(wireTypes(kTypes)).map(([file, source]) => [file, kNote + source])),
});
