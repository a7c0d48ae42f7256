import { fixCommand } from '../../../../doctor/backup/commands.ts'
import type { ConversationResult } from '../../../../doctor/doctor.ts'
import { lastWritten } from '../../../../doctor/last-written.ts'
import type { ConversationState } from '../../../../doctor/system.ts'
import { plural } from '../../counts.ts'
import type { Paint } from '../../paint.ts'
import { plain } from '../../plain.ts'
import { extractHint, renderHead, renderResult } from './doctor-text.ts'

/**
 * The sessions in the usual places, as one screen: broken ones first, then busy and pending ones, each newest first, and the number of healthy ones. Only
 * texts are kept, so that its memory does not grow with the length of sessions.
 */
export class DoctorOverview {
  readonly #paint: Paint
  readonly #found: Found[] = []
  readonly #healthy = new Map<string, number>()
  #broken = 0

  constructor(paint: Paint) {
    this.#paint = paint
  }

  add(one: ConversationResult): void {
    const { examination, path, system } = one
    const { state, remaining, notes } = examination
    if (state === 'healthy' && remaining.length === 0 && notes.length === 0) {
      this.#healthy.set(system.id, (this.#healthy.get(system.id) ?? 0) + 1)
      return
    }
    const at = lastWritten(path)
    const isDetailed = state === 'broken' && ++this.#broken <= detailedMax
    const head = renderHead(one, this.#paint)
    const written = at === undefined ? [] : [`last written ${dateOf(at)}`]
    this.#found.push({
      state,
      at: at ?? 0,
      lines: [head, ...this.#facts(one, written), ...this.#command(one)],
      ...(isDetailed && {
        details: [
          head,
          ...written.map(fact => `  ${fact}`),
          ...renderResult(one, this.#paint, false).slice(1),
          ...this.#command(one),
        ],
      }),
    })
  }

  lines(): string[] {
    const order = this.#found.toSorted((one, other) => ranks[one.state] - ranks[other.state] || other.at - one.at)
    const isShort = this.#broken <= detailedMax
    const shown = order.slice(0, shownMax).flatMap(({ lines, details }) => (isShort && details ? details : lines))
    const more = order.length - shownMax
    return [
      ...shown,
      ...(more > 0 ? [`... and ${plural(more, 'session')} more; --all prints every session`] : []),
      ...(isShort || order.length === 0
        ? []
        : ['--all prints what is wrong with each; antiphon doctor PATH, with one of them']),
      ...[...this.#healthy].map(
        ([system, count]) => `${this.#paint('fix', 'healthy'.padEnd(8))} ${system}  ${plural(count, 'session')}`,
      ),
    ]
  }

  #facts({ examination }: ConversationResult, written: readonly string[]): string[] {
    const { repairs, remaining, notes, since } = examination
    const rules = [...new Set([...repairs, ...remaining].map(({ rule }) => rule))]
    const facts = [
      ...written,
      since ? `broken since turn ${since.turn}` : '',
      rules.length === 0 ? '' : rules.join(', '),
    ].filter(fact => fact !== '')
    return [
      ...(facts.length > 0 ? [`  ${facts.join('; ')}`] : []),
      ...notes.map(note => `  ${this.#paint('warning', 'note')}: ${plain(note)}`),
    ]
  }

  #command(one: ConversationResult): string[] {
    const { examination, path, id } = one
    if (examination.storeRepair) return [`  ${this.#paint('fix', 'heal')}: ${plain(fixCommand(path, id))}`]
    return extractHint(one, this.#paint)
  }
}

interface Found {
  readonly state: ConversationState
  readonly at: number
  readonly lines: readonly string[]
  readonly details?: readonly string[]
}

const ranks: Record<ConversationState, number> = { broken: 0, busy: 1, pending: 2, healthy: 3 }

/** With more broken sessions than this, what is wrong with each is left out. */
const detailedMax = 2
const shownMax = 12

/** In local time, to the minute. */
function dateOf(at: number): string {
  const date = new Date(at)
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
