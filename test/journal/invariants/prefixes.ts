import { createHash } from 'node:crypto'
import { heal } from '../../../src/heal/heal.ts'
import type { Entry } from '../../../src/journal/entry.ts'
import { evolve, initialState, type ThreadState } from '../../../src/journal/fold.ts'
import { Renderer, Renderers } from '../../../src/journal/render/render.ts'
import type { ServerState } from '../../../src/strict/index.ts'
import { type Reader, refusal } from '../../strict/readers.ts'
import { isUnknowable } from '../../strict/unknowable.ts'

/**
 * Renders every beginning of a log for every reader, and says what their strict providers refuse. `accepted` remembers, for
 * the same readers, which beginnings were accepted: what is said does not depend on when.
 */
export function refusedPrefixes(
  uid: string,
  entries: readonly Entry[],
  readers: readonly Reader[],
  accepted?: Set<string>,
): string[] {
  const state = initialState(uid)
  let beginning = uid
  const judges = readers.map((reader, turn) => new PrefixJudge(reader, state, turn))
  const problems: string[] = []
  for (const entry of entries) {
    evolve(state, entry)
    if (silent.has(entry.kind)) continue
    if (accepted) {
      beginning = digestOf(beginning, entry)
      if (accepted.has(beginning)) continue
    }
    // A new branch is judged as well; all others when they are the current one.
    const made = entry.kind === 'branch-fork' ? judges.flatMap(judge => judge.judgeBranch(entry.branch) ?? []) : []
    const refusals = [...judges.flatMap(judge => judge.judge() ?? []), ...made]
    if (refusals.length === 0) accepted?.add(beginning)
    for (const refused of refusals) problems.push(`the beginning up to ${entry.seq} (${entry.kind}) ${refused}`)
  }
  return problems
}

/** Nothing is said by these: the conversation is the one before. */
const silent = new Set<Entry['kind']>([
  ...(['input-submit', 'turn-start', 'turn-resume', 'turn-park', 'turn-interrupt', 'turn-end'] as const),
])

class PrefixJudge {
  readonly #reader: Reader
  readonly #state: ThreadState
  readonly #renderers: Renderers
  readonly #turn: number
  #accepted = '[]'

  constructor(reader: Reader, state: ThreadState, turn: number) {
    this.#reader = reader
    this.#turn = turn
    this.#state = state
    this.#renderers = new Renderers({ state })
  }

  judge(): string | undefined {
    const messages = this.#renderers.render(this.#reader)
    const drawn = JSON.stringify(messages)
    // Most entries say nothing, and what was accepted is accepted again.
    if (drawn === this.#accepted) return undefined
    // Each reader draws every few beginnings from scratch, and all of them together every one.
    const isDrawnAnew = (this.#state.head + this.#turn) % 4 === 0
    const anew = isDrawnAnew ? JSON.stringify(new Renderer(this.#reader, this.#state).render()) : drawn
    if (anew !== drawn) return `is drawn for ${this.#reader.dialect} step by step as ${drawn}\nand at once as ${anew}`
    const refused = refusalOf(messages, this.#reader)
    if (!refused) this.#accepted = drawn
    return refused
  }

  judgeBranch(branch: number): string | undefined {
    const refused = refusalOf(this.#renderers.render(this.#reader, branch), this.#reader)
    return refused && `on branch ${branch} ${refused}`
  }
}

/**
 * Why a conversation is refused as the next request. Where the assistant has spoken last the user speaks again first, and
 * that is drawn as it would be: what only a paused turn may end with is no longer at the end.
 */
export function refusalOf(messages: readonly unknown[], reader: Reader, state?: ServerState): string | undefined {
  if (messages.length === 0) return undefined
  const { dialect, format } = reader
  const isOver = isAssistant(messages.at(-1))
  const request = isOver ? heal([...messages, goOn[format]], { for: dialect, format }) : messages
  const refused = refusal(request, reader, {}, state)
  if (refused && isUnknowable(refused)) return undefined
  return refused && `is refused for ${dialect} by ${refused.fact}: ${refused.message}\n${JSON.stringify(request)}`
}

const digestOf = (before: string, { at: _, epoch: __, ...entry }: Entry): string =>
  createHash('sha256').update(before).update(JSON.stringify(entry)).digest('base64url')

const isAssistant = (message: unknown): boolean =>
  ['assistant', 'model'].includes(String((message as { role?: unknown }).role))

const goOn: Partial<Record<Reader['format'], unknown>> = {
  'openai-chat': { role: 'user', content: 'Go on.' },
  'openai-responses': { role: 'user', content: 'Go on.' },
  anthropic: { role: 'user', content: 'Go on.' },
  gemini: { role: 'user', parts: [{ text: 'Go on.' }] },
  bedrock: { role: 'user', content: [{ text: 'Go on.' }] },
}
