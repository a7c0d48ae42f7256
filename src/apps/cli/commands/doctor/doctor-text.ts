import { renderDiagnostic, renderRepair } from '../../../../core/rules/render.ts'
import { extractCommand, undoCommand } from '../../../../doctor/backup/commands.ts'
import type { ConversationResult, DoctorResult } from '../../../../doctor/doctor.ts'
import { whyOf } from '../../../../doctor/store-rules.ts'
import type { ConversationState } from '../../../../doctor/system.ts'
import type { CallCounts } from '../../../../heal/count.ts'
import { callCountsText, escapeDiagnostic, plural, sumCounts } from '../../counts.ts'
import type { Paint } from '../../paint.ts'
import { plain, shorten } from '../../plain.ts'

/** The totals of all stores. Its size does not grow with their number. */
export class Totals {
  readonly states: Record<ConversationState, number> = { healthy: 0, pending: 0, broken: 0, busy: 0 }
  healed = 0
  /** Conversations that are still broken. */
  left = 0
  unreadable = 0
  unrecognised = 0
  /** Stores and other paths that were examined. */
  visited = 0
  counts: CallCounts = { calls: 0, results: 0, orphans: 0, unanswered: 0 }
  #path: string | undefined

  add(one: DoctorResult): void {
    if (one.path !== this.#path) this.visited++
    this.#path = one.path
    if (one.kind === 'unreadable') this.unreadable++
    else if (one.kind === 'unrecognised') this.unrecognised++
    else {
      this.states[one.examination.state]++
      if (one.backup !== undefined) this.healed++
      if (isLeft(one)) this.left++
      this.counts = sumCounts([this.counts, one.examination.counts])
    }
  }

  get broken(): number {
    return this.states.broken
  }

  get conversations(): number {
    const { healthy, pending, broken, busy } = this.states
    return healthy + pending + broken + busy
  }
}

/** A repair may leave errors that cannot be repaired. */
const isLeft = ({ examination: { state, remaining }, backup }: ConversationResult): boolean =>
  state === 'busy' ||
  (state === 'broken' && (backup === undefined || remaining.some(({ severity }) => severity === 'error')))

/** A conversation as text: one line, and below it what is wrong. */
export function renderResult(one: DoctorResult, paint: Paint, all: boolean): string[] {
  if (one.kind !== 'conversation') return []
  const { examination, backup, path } = one
  const { state, repairs, remaining, dropped, notes, since } = examination
  const head = renderHead(one, paint)
  if (state === 'healthy' && remaining.length === 0 && notes.length === 0) return [head]
  const blocks = [
    ...repairs.map(repair =>
      backup === undefined
        ? renderDiagnostic(escapeDiagnostic(repair), whyOf(repair.rule), { paint })
        : renderRepair(escapeDiagnostic(repair), { paint }),
    ),
    ...remaining.map(diagnostic => renderDiagnostic(escapeDiagnostic(diagnostic), whyOf(diagnostic.rule), { paint })),
  ]
  const printed = all ? blocks : blocks.slice(0, printedMax)
  const more = blocks.length - printed.length
  return [
    head,
    ...(since ? [`  ${backup === undefined ? '' : 'was '}broken since turn ${since.turn}, ${plain(since.at)}`] : []),
    ...notes.map(note => `  ${paint('warning', 'note')}: ${plain(note)}`),
    ...printed.flatMap(block => block.split('\n').map(line => `  ${line}`)),
    ...(more > 0 ? [`  ... and ${more} more; --all prints them`] : []),
    ...dropped.map(
      ({ at, rule, content }) =>
        `  ${paint('warning', backup === undefined ? 'would drop' : 'dropped')} [${rule}] ${plain(at)}: ${shorten(content, 160)}`,
    ),
    ...(backup === undefined
      ? extractHint(one, paint)
      : [
          `  ${paint('fix', 'backup')}: ${plain(backup)}`,
          `  ${paint('fix', 'undo')}: ${plain(undoCommand(backup, path))}`,
        ]),
  ]
}

/** How to get the work out of a session that is not repaired. */
export const extractHint = ({ examination, path, id }: ConversationResult, paint: Paint): string[] =>
  examination.state === 'broken' && !examination.storeRepair && examination.draw
    ? [`  ${paint('fix', 'not repaired; get the work out with')}: ${plain(extractCommand(path, id))}`]
    : []

const styles = {
  healthy: 'fix',
  pending: 'warning',
  busy: 'warning',
  broken: 'error',
  healed: 'repaired',
} as const

const printedMax = 10

/** The first line of a conversation. */
export function renderHead({ examination, backup, path, id, system, title }: ConversationResult, paint: Paint): string {
  const { state, counts } = examination
  const name = [plain(path), path.includes(id) ? '' : plain(id), title ? `"${shorten(title, 60)}"` : '']
  const word = backup === undefined ? state : 'healed'
  return `${paint(styles[word], word.padEnd(8))} ${system.id}  ${name.filter(Boolean).join('  ')}  (${callCountsText(counts)})`
}

/** The same as JSON; undefined for a path that no system recognises. */
export function resultJson(one: DoctorResult): object | undefined {
  if (one.kind === 'unrecognised') return undefined
  if (one.kind === 'unreadable') return { path: one.path, state: 'unreadable', error: one.error.message }
  return conversationJson(one)
}

function conversationJson({ path, system, id, title, examination, use, backup, failure }: ConversationResult): object {
  const { storeRepair: _, ...found } = examination
  return {
    path,
    system: system.id,
    conversation: id,
    ...(title === undefined ? {} : { title }),
    ...found,
    ...(use === undefined ? {} : { usedBy: { pid: use.pid, program: use.program, why: use.why } }),
    healed: backup !== undefined,
    ...(backup === undefined ? {} : { backup, undo: undoCommand(backup, path) }),
    ...(failure === undefined ? {} : { failure: failure.message }),
  }
}

export function renderTotals(totals: Totals, fix: boolean, isSearch: boolean, session?: string): string {
  const { conversations, states, healed, left, unreadable } = totals
  if (conversations === 0 && unreadable === 0 && session !== undefined)
    return `no session with the id ${plain(session)} was found`
  if (conversations === 0 && unreadable === 0)
    return isSearch
      ? 'no store of a known system was found for this user; name a path'
      : 'no store of a known system was found there'
  const parts = Object.entries({ ...states, healed, unreadable }).flatMap(([state, count]) =>
    count > 0 ? [`${count} ${state}`] : [],
  )
  const advice = !fix && left > 0 ? '; --fix repairs what is broken, with a backup' : ''
  return [
    `${plural(conversations, 'session')}: ${parts.join(', ')}${advice}`,
    `total: ${callCountsText(totals.counts)}`,
  ].join('\n')
}
