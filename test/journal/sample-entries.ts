import type { CallPlace, CallSettle, EntryData, RecordedCall, ResponseRecord } from '../../src/journal/entry.ts'

/** The shortest entry of each sort that a store can tell from the others. */
export const submit = (content: unknown = 'hello', key?: string): EntryData => ({
  kind: 'input-submit',
  ...(key === undefined ? {} : { key }),
  content,
  when: 'queue',
})

export const admit = (...inputs: number[]): EntryData => ({ kind: 'input-admit', inputs })

/** A response with so many calls, of which the ones named by index came with their results. */
export const respond = (calls = 0, ...answered: number[]): ResponseRecord => ({
  ...{ kind: 'response-record', turn: 1, format: 'openai-chat', dialect: 'openai', finish: 'stop' },
  messages: [{ role: 'assistant', content: 'well' }],
  calls: Array.from({ length: calls }, (_, index) => recorded(index, answered.includes(index))),
})

const recorded = (index: number, answered: boolean): RecordedCall => ({
  ...{ id: `call_${index}`, name: 'look' },
  ...(answered && { answered }),
})

export const start = (step: number, index = 0): EntryData => ({ kind: 'call-start', call: { step, index } })

export const settle = (step: number, index = 0): CallSettle => ({
  ...{ kind: 'call-settle', call: { step, index } },
  outcome: { status: 'done', content: 'seen' },
})

export const endTurn: EntryData = { kind: 'turn-end', turn: 1, status: 'done' }

const call: CallPlace = { step: 1, index: 0 }

/** One entry of every kind with every field it can have, and which need no call to be there. */
export const everyKind: { readonly [Kind in EntryData['kind']]: Extract<EntryData, { kind: Kind }> } = {
  'input-submit': { kind: 'input-submit', key: 'k', content: [{ type: 'text' }], format: 'anthropic', when: 'steer' },
  'input-admit': { kind: 'input-admit', inputs: [1, 2] },
  'turn-start': { kind: 'turn-start', turn: 1 },
  'turn-resume': { kind: 'turn-resume', turn: 1 },
  'turn-park': { kind: 'turn-park', turn: 1 },
  'turn-interrupt': { kind: 'turn-interrupt', turn: 1, reason: 'enough' },
  'turn-end': {
    kind: 'turn-end',
    turn: 1,
    status: 'failed',
    error: { name: 'E', message: 'm', code: 'c', status: 500 },
  },
  'response-record': {
    ...{ kind: 'response-record', turn: 1, format: 'anthropic', dialect: 'anthropic', model: 'm', finish: 'cut' },
    ...{ messages: [{ role: 'assistant', content: [] }], calls: [{ id: 'a', name: 'look' }], left: [{ a: 1 }] },
    usage: { tokens: 3 },
  },
  'call-start': { kind: 'call-start', call },
  'call-park': { kind: 'call-park', call, why: 'approval', until: 5 },
  'call-edit': { kind: 'call-edit', call, input: { city: 'Faro' } },
  'call-decide': { kind: 'call-decide', call, approved: false, reason: 'too dear' },
  'call-settle': {
    kind: 'call-settle',
    call,
    outcome: { status: 'made-up', state: 'denied', content: null, bytes: 9 },
  },
  'call-late': { kind: 'call-late', call, outcome: { status: 'error', content: { code: 7 } } },
  'note-tell': { kind: 'note-tell', notes: [9] },
  'rejection-learn': {
    ...{ kind: 'rejection-learn', turn: 1, dialect: 'openai', format: 'openai-chat', model: 'm', marks: ['2sabc'] },
    rejections: [
      {
        ...{ kind: 'tool-id', id: 'oa-tool-id', status: 400, text: '', repair: 'tool-ids', paths: [], limit: 40 },
      },
    ],
  },
  'branch-fork': { kind: 'branch-fork', branch: 2, from: 1, after: 3, inputs: [1] },
  'branch-switch': { kind: 'branch-switch', branch: 2 },
  'history-compact': { kind: 'history-compact', upTo: 3, summary: 'They said hello.' },
  'history-expand': { kind: 'history-expand', summary: 9 },
}
