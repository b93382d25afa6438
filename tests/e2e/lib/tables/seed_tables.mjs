// The tables that every tenant has, written independently of the server's declarations; tests compare the two. One line each:
// table, keys, then indexes as `name(hash, range)`, `~` before the name of a local one; `:N` after numbers.
const kSeeds = {
  T3: [
    'conversations  pk sk           ttl=ttl',
    'tenants        pk sk           channel-mapping(gsi1pk,gsi1sk)',
  ],
  HM: [
    'next-auth               pk sk  ttl=expires  GSI2(gsi1pk,gsi1sk)',
    'webhook-logs            pk sk  ttl=expires',
    'workspace               pk sk  bySubscriptionId(subscriptionId,pk)',
    'permission              pk sk  byResourceTypeAndEntityId(resourceType,sk)',
    'agent                   pk sk  byWorkspaceId(workspaceId,pk)',
    'agent-key               pk sk  byAgentId(agentId,pk)',
    'workspace-api-key       pk sk  byWorkspaceId(workspaceId,pk)',
    'workspace-document      pk sk  byWorkspaceId(workspaceId,pk)',
    'output_channel          pk sk  byWorkspaceId(workspaceId,pk)',
    'agent-conversations     pk     ttl=expires  byAgentId(agentId,pk)',
    'credit-reservations     pk     ttl=expires  byExpiresHour(expiresHour:N,expires:N)',
    'token-usage-aggregates  pk sk  byWorkspaceIdAndDate(workspaceId,date) byAgentIdAndDate(agentId,date) byUserIdAndDate(userId,date)',
    'email-connection        pk sk  byWorkspaceId(workspaceId,pk)',
    'mcp-server              pk sk  byWorkspaceId(workspaceId,pk)',
    'trial-credit-requests   pk sk',
    'subscription            pk sk  byUserId(userId,pk)',
    'llm-request-buckets     pk     ttl=expires  bySubscriptionIdAndHour(subscriptionId,hourTimestamp)',
    'workspace-invite        pk sk  ttl=expires  byWorkspaceId(workspaceId,pk)',
    'agent-stream-servers    pk sk',
    'user-api-key            pk sk  byKeyHash(keyLookupHash,pk)',
    'user-refresh-token      pk sk  byTokenHash(tokenLookupHash,pk)',
  ],
  EV: [
    'TenantApiKeys  pk sk',
    'Events         pk sk  status-index(tenant_id,gsi1sk)',
  ],
  CV: [
    'conversations-dev  primary_channel conversation_id  ttl=ttl'
    + ' company-id-project-id-index(company_id,project_id)'
    + ' company-whatsapp-number-recipient-tel-index(gsi_company_whatsapp_number,gsi_recipient_tel)'
    + ' company-sms-number-recipient-tel-index(gsi_company_sms_number,gsi_recipient_tel)'
    + ' company-email-recipient-email-index(gsi_company_email,gsi_recipient_email)'
    + ' ~created-at-index(primary_channel,created_at) ~task-complete-index(primary_channel,task_complete:N)'
    + ' ~conversation-status-index(primary_channel,conversation_status) ~channel-method-index(primary_channel,channel_method)',
  ],
};

function attribute(text) {
  const [name, type = 'S'] = text.split(':');
  return {name, type};
}

function parsed(line) {
  const [name, ...words] = line.split(/\s+/);
  const table = {name, keys: {}, indexes: []};
  for (const word of words) {
    const index = /^(~?)([\w-]+)\(([^,]+),([^)]+)\)$/.exec(word);
    if (index) {
      const [, local, indexName, hash, range] = index;
      table.indexes.push({name: indexName, kind: local ? 'local' : 'global', hash: attribute(hash), range: attribute(range)});
    } else if (word.startsWith('ttl=')) {
      table.ttl = word.slice(4);
    } else if (table.keys.hash) {
      table.keys.range = attribute(word);
    } else {
      table.keys.hash = attribute(word);
    }
  }
  return table;
}

/** [{system, name, keys, ttl, indexes}], in the form of storage/declarations/*.json */
export const kSeedTables = Object.entries(kSeeds).flatMap(([system, lines]) => (
  lines.map((line) => ({system, ...parsed(line)}))));
