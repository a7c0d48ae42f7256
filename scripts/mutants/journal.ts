import { type Mutant, swap } from './mutant.ts'

/** A guard that is removed: its text, which occurs once in the file, and what takes its place. */
interface Guard {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
}

const sqliteGuards: readonly Guard[] = [
  {
    name: 'the epoch check',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND head = ? AND epoch = ?',
    replace: 'AND head = ? AND (epoch = ? OR true)',
  },
  {
    name: 'the head check',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND head = ? AND epoch = ?',
    replace: 'AND (head = ? OR true) AND epoch = ?',
  },
  {
    name: 'the lease check',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND leased_until <= coalesce(?, leased_until)',
    replace: 'AND (leased_until <= coalesce(?, leased_until) OR true)',
  },
  {
    name: 'the settled check',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND call.started <= ?))',
    replace: 'AND call.started <= ?) OR true)',
  },
  {
    name: 'the check that no message is added while a call is open',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: '(call.step IS NOT ? OR call.idx IS NOT ?)))',
    replace: '(call.step IS NOT ? OR call.idx IS NOT ?)) OR true)',
  },
  {
    name: 'the check that no message is added while a call is only started',
    file: 'src/journal/stores/sqlite/apply-write.ts',
    find: '...placed(settled),',
    replace: '...placed(started ?? settled),',
  },
  {
    name: 'the check of several calls',
    file: 'src/journal/stores/sqlite/apply-write.ts',
    find: 'if (hasSeveralCalls && callRefusal(',
    replace: 'if (hasSeveralCalls === undefined && callRefusal(',
  },
  {
    name: 'the check that a call is started once',
    file: 'src/journal/stores/sqlite/apply-write.ts',
    find: 'started ? 0 :',
    replace: 'started ? 1 :',
  },
  {
    name: 'the state check',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND state = coalesce(?, state)\n',
    replace: 'AND (state = coalesce(?, state) OR true)\n',
  },
  {
    name: 'the epoch of a renewal',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND epoch = ? AND owner IS NOT NULL',
    replace: 'AND (epoch = ? OR true) AND owner IS NOT NULL',
  },
  {
    name: 'the commit before the answer',
    file: 'src/journal/stores/sqlite/group-commit.ts',
    find: 'for (const job of jobs) attempt(job)',
    replace: 'for (const job of jobs) void [attempt(job), job.refusal ?? job.resolve(job.answer)]',
  },
  {
    name: 'the check of input keys',
    file: 'src/journal/stores/sqlite/statements.ts',
    find: 'AND input.key = ?)',
    replace: 'AND input.key = ? AND false)',
  },
  {
    name: 'the record that a call was started',
    file: 'src/journal/stores/sqlite/apply-write.ts',
    find: 'for (const { step, index } of starts) statements.startCall.run(thread, step, index)',
    replace: '',
  },
]

const postgresGuards: readonly Guard[] = [
  {
    name: 'the epoch check',
    file: 'src/journal/stores/postgres/statements.ts',
    find: `if (epoch !== undefined) guards.push(`,
    replace: `if (epoch === -1) guards.push(`,
  },
  {
    name: 'the head check',
    file: 'src/journal/stores/postgres/statements.ts',
    find: `if (head !== undefined) guards.push(`,
    replace: `if (head === -1) guards.push(`,
  },
  {
    name: 'the lease check',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'if (lease) guards.push(',
    replace: 'if (lease === null) guards.push(',
  },
  {
    name: 'the settled check',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'if (calls.length > 0) guards.push(',
    replace: 'if (effects.starts.length > 0) guards.push(',
  },
  {
    name: 'the check that no message is added while a call is open',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'if (effects.requiresAllSettled) guards.push(',
    replace: 'if (effects.requiresAllSettled === null) guards.push(',
  },
  {
    name: 'the check that a call is started once',
    file: 'src/journal/stores/postgres/statements.ts',
    find: `'AND NOT started'`,
    replace: `'AND true'`,
  },
  {
    name: 'the head of a write that names calls',
    file: 'src/journal/stores/postgres/store.ts',
    find: 'if (head !== undefined || calls.length === 0) return head',
    replace: 'if (calls.length >= 0) return head',
  },
  {
    name: 'the state check',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'if (onlyIf) guards.push(',
    replace: 'if (onlyIf === null) guards.push(',
  },
  {
    name: 'the epoch of a renewal',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'AND epoch = $2::bigint AND owner',
    replace: 'AND $2::bigint IS NOT NULL AND owner',
  },
  {
    name: 'the search for a write whose answer was lost',
    file: 'src/journal/stores/postgres/store.ts',
    find: 'const landed = doubtful && (await',
    replace: 'const landed = doubtful && row === undefined && (await',
  },
  {
    name: 'the key of a write that has no other guard',
    file: 'src/journal/stores/postgres/prepare-write.ts',
    find: ': blind ? toInternalKey(token) : undefined',
    replace: ': undefined',
  },
  {
    name: 'the check of input keys',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'if (key !== undefined)\n    guards.push(',
    replace: 'if (key === null)\n    guards.push(',
  },
  {
    name: 'the record that a call was started',
    file: 'src/journal/stores/postgres/statements.ts',
    find: 'SET started = true',
    replace: 'SET started = started',
  },
]

/** Guards above the stores. */
const journalGuards: readonly Guard[] = [
  {
    name: 'the digest check',
    file: 'src/journal/input/keyed-input.ts',
    find: 'if (digest === this.#digest) return this.receipt',
    replace: 'return this.receipt',
  },
  {
    name: 'the start before the tool runs',
    file: 'src/journal/turn.ts',
    find: 'if (!(await this.start(call))) return',
    replace: 'if (call === undefined) return',
  },
]

const agentGuards: readonly Guard[] = [
  {
    name: 'the check that the call of an agent was parked',
    file: 'src/journal/tool.ts',
    find: 'return context.thread.agents.isOpen(call.id) ? startAgent(context, call, signals.running) : undefined',
    replace: 'return startAgent(context, call)',
  },
  {
    name: 'the result that is delivered',
    file: 'src/journal/agents/thread-agents.ts',
    find: 'await settleCall(logOf(place.parent), place.callId, outcome)',
    replace: '',
  },
  {
    name: 'the erasure of agents',
    file: 'src/journal/erasure/erase-thread.ts',
    find: 'await eraseChildren(store, thread)',
    replace: '',
  },
  {
    name: 'the agents that are not idle',
    file: 'src/journal/erasure/expire-threads.ts',
    find: 'if (agents.some(({ updatedAt }) => updatedAt > idleSince)) continue',
    replace: '',
  },
]

const compactionGuards: readonly Guard[] = [
  {
    name: 'the summary after a rejection',
    file: 'src/journal/render/ask.ts',
    find: "rejection.kind === 'context-overflow' && (await onTooLong?.())",
    replace: 'rejection === undefined',
  },
  {
    name: 'the memory that summarizing failed in the turn',
    file: 'src/journal/compaction/run-compaction.ts',
    find: 'uncompacted.add(turn)',
    replace: '',
  },
]

const editGuards: readonly Guard[] = [
  {
    name: 'the check that a client has removed what followed an edited message',
    file: 'src/integrations/ag-ui/sort-messages.ts',
    find: 'if (index >= this.#lastKnown && ',
    replace: 'if (',
  },
  {
    name: 'the check that a client has no earlier version of the message',
    file: 'src/integrations/ag-ui/sort-messages.ts',
    find: 'versions.length === 0 || isKnown ||',
    replace: 'versions.length === 0 || equal(view.messages(), [message]) ||',
  },
]

const without = (group: string, guards: readonly Guard[], killers: readonly string[]): readonly Mutant[] =>
  guards.map(({ name, file, find, replace }) => ({
    ...{ group, name: `without ${name}`, file, killers },
    change: swap([find, replace]),
  }))

export const journalMutants: readonly Mutant[] = [
  ...without('sqlite', sqliteGuards, [
    'test/journal/stores/sqlite.test.ts',
    'test/journal/stores/sqlite-commit.test.ts',
    'test/kill/sqlite.test.ts',
  ]),
  ...without('sqlite', journalGuards, ['test/kill/sqlite.test.ts']),
  ...without('postgres', postgresGuards, [
    'test/journal/stores/postgres.test.ts',
    'test/journal/stores/postgres-broken.test.ts',
    'test/kill/postgres.test.ts',
  ]),
  ...without('postgres', journalGuards, ['test/kill/postgres.test.ts']),
  ...without('agents', agentGuards, ['test/journal/memory.test.ts']),
  ...without('compaction', compactionGuards, ['test/journal/memory.test.ts']),
  ...without('edits', editGuards, ['test/integrations/ag-ui/history.test.ts']),
]
