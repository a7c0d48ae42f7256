import { StoredChat } from '../../../src/integrations/ai-sdk/stored-chat.ts'
import { coveredItems, cutBefore } from '../../../src/journal/compaction/decide-compact.ts'
import { shownItems } from '../../../src/journal/compaction/shown-items.ts'
import type { Entry, EntryData } from '../../../src/journal/entry.ts'
import { evolve, initialState, notesOf, type ThreadState } from '../../../src/journal/fold.ts'
import { Renderer, renderTargetFor } from '../../../src/journal/render/render.ts'
import type { Trial } from './find-steep.ts'

/** A thread that is written entry by entry. */
class ThreadLog {
  readonly entries: Entry[] = []
  #turn = 0
  #branch = 1

  put(entry: EntryData): number {
    const seq = this.entries.length + 1
    this.entries.push({ ...entry, seq, at: seq, epoch: 1 })
    return seq
  }

  submit(more: { key?: string; replaces?: number; branch?: number } = {}): number {
    const content = { role: 'user', parts: [{ type: 'text', text: 'hello' }] }
    return this.put({ kind: 'input-submit', content, format: 'ai-sdk-ui', when: 'queue', ...more })
  }

  /** A turn that answers an input. Returns where the input was added, and the response. */
  answer(input: number, calls: { id: string; name: string }[] = []): { admitted: number; step: number } {
    const turn = ++this.#turn
    this.put({ kind: 'turn-start', turn })
    const admitted = this.put({ kind: 'input-admit', inputs: [input] })
    const step = this.record(turn, calls)
    for (const index of calls.keys()) {
      const outcome = { status: 'made-up', state: 'unknown', content: 'it is not known' } as const
      this.put({ kind: 'call-settle', call: { step, index }, outcome })
    }
    if (calls.length > 0) this.record(turn, [])
    this.put({ kind: 'turn-end', turn, status: 'done' })
    return { admitted, step }
  }

  record(turn: number, calls: { id: string; name: string }[]): number {
    const text = { type: 'text', text: 'hello again' }
    const parts = calls.map(({ id, name }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: {} }))
    const messages = [{ role: 'assistant', content: [text, ...parts] }]
    const made = { format: 'ai-sdk', dialect: 'openai', finish: 'stop' } as const
    return this.put({ kind: 'response-record', turn, ...made, messages, calls })
  }

  fork(after: number, inputs: number[] = []): number {
    const from = this.#branch++
    this.put({ kind: 'branch-fork', branch: this.#branch, from, after, inputs })
    this.put({ kind: 'branch-switch', branch: this.#branch })
    return this.#branch
  }
}

const each = (length: number, act: (index: number) => void): void => {
  for (let index = 0; index < length; index++) act(index)
}

/** Threads in which one thing happens again and again. */
const threads: Record<string, (log: ThreadLog, length: number) => void> = {
  'inputs that are answered one by one': (log, length) => each(length, () => log.answer(log.submit())),
  'inputs that all wait before the first is answered': (log, length) => {
    const inputs = Array.from({ length }, () => log.submit())
    for (const input of inputs) log.answer(input)
  },
  'inputs that wait while branches are switched': (log, length) => {
    each(length, () => log.submit())
    each(length, () => log.fork(0))
  },
  'inputs that wait for a branch': (log, length) => {
    const branch = log.fork(0)
    each(length, () => log.submit({ branch }))
  },
  'a message that is edited again and again': (log, length) => {
    let input = log.submit({ key: 'm1' })
    let { admitted } = log.answer(input)
    each(length, () => {
      const branch = log.fork(admitted - 1)
      input = log.submit({ replaces: input, branch })
      admitted = log.answer(input).admitted
    })
  },
  'an answer that is regenerated again and again': (log, length) => {
    const input = log.submit({ key: 'm1' })
    let { admitted } = log.answer(input)
    each(length, () => {
      log.fork(admitted - 1, [input])
      admitted = log.answer(input).admitted
    })
  },
  'answers that are regenerated, each once': (log, length) =>
    each(length, index => {
      const input = log.submit({ key: `m${index}` })
      const { admitted } = log.answer(input)
      log.fork(admitted - 1, [input])
      log.answer(input)
    }),
  'turns that are repeated after a failure': (log, length) =>
    each(length, index => {
      log.answer(log.submit({ key: `m${index}` }))
      log.answer(log.submit({ key: `antiphon-retry:${index}:m${index}` }))
    }),
  'late results, each told': (log, length) =>
    each(length, index => {
      const { step } = log.answer(log.submit(), [{ id: `c${index}`, name: 'look' }])
      const late = log.put({
        kind: 'call-late',
        call: { step, index: 0 },
        outcome: { status: 'done', content: 'at last' },
      })
      log.put({ kind: 'note-tell', notes: [late] })
    }),
  'late results, told together': (log, length) => {
    const calls = Array.from({ length }, (_, index) => ({ id: `c${index}`, name: 'look' }))
    const { step } = log.answer(log.submit(), calls)
    const notes = calls.map((_, index) =>
      log.put({ kind: 'call-late', call: { step, index }, outcome: { status: 'done', content: 'at last' } }),
    )
    log.put({ kind: 'note-tell', notes })
  },
  'a late result that is told on every branch': (log, length) => {
    const { step } = log.answer(log.submit(), [{ id: 'c', name: 'look' }])
    const late = log.put({
      kind: 'call-late',
      call: { step, index: 0 },
      outcome: { status: 'done', content: 'at last' },
    })
    each(length, () => {
      log.fork(late)
      log.put({ kind: 'note-tell', notes: [late] })
    })
  },
  'summaries, each of which is undone': (log, length) =>
    each(length, () => {
      log.answer(log.submit())
      const summary = log.put({ kind: 'history-compact', upTo: log.entries.length, summary: 'They said hello.' })
      log.put({ kind: 'history-expand', summary })
    }),
  'summaries of summaries': (log, length) =>
    each(length, () => {
      log.answer(log.submit())
      log.put({ kind: 'history-compact', upTo: log.entries.length, summary: 'They said hello.' })
    }),
}

/** What is done with a whole thread. */
const works: Record<string, (entries: readonly Entry[], state: ThreadState, chat: StoredChat) => unknown> = {
  fold: entries => foldOf(entries),
  'late results': (_, state) => notesOf(state),
  render: (_, state) => new Renderer(renderTargetFor('openai'), state).render(),
  summarize: (_, state) => {
    const cut = cutBefore(state, 1)
    return [shownItems(state), cut === undefined ? [] : coveredItems(state, cut)]
  },
  'read the chat': entries => new StoredChat({ uid: 'u', entries: [...entries] }),
  'show the chat': (_, __, chat) => chat.messages(),
  'list the versions': (_, __, chat) => chat.branches(),
  'look for a message': (_, __, chat) => chat.find('unknown'),
}

function foldOf(entries: readonly Entry[]): ThreadState {
  const state = initialState('u')
  for (const entry of entries) evolve(state, entry)
  return state
}

export function* threadTrials(): Generator<Trial> {
  for (const [thread, write] of Object.entries(threads))
    for (const [name, work] of Object.entries(works))
      yield {
        name: `${name}: ${thread}`,
        prepare(length) {
          const log = new ThreadLog()
          write(log, length)
          const { entries } = log
          const state = foldOf(entries)
          const chat = new StoredChat({ uid: 'u', entries })
          return () => work(entries, state, chat)
        },
      }
}
