import type { Clock } from '../../../src/journal/clock.ts'
import type * as Turn from '../../../src/journal/decide.ts'
import type * as Effects from '../../../src/journal/effects.ts'
import type * as Heart from '../../../src/journal/heartbeat.ts'
import type { LeaseWatch } from '../../../src/journal/heartbeat.ts'
import type * as Recover from '../../../src/journal/recover.ts'
import { type StoreFault, writesBehind } from './faults.ts'

/** A part of the journal that does something else than it should. */
export interface JournalFault {
  /** What it does. */
  readonly name: string
  /** What comes of it. */
  readonly finds: RegExp
  readonly file: 'journal/decide' | 'journal/recover' | 'journal/heartbeat' | 'journal/effects'
  readonly spoil: (original: never) => object
  /** What else has to be wrong for it to show: a decider that sees everything makes no use of the guards that follow. */
  readonly store?: StoreFault['spoil']
}

type Decide = typeof Turn.decide

const deciding =
  (spoil: (decide: Decide) => Decide) =>
  ({ decide }: typeof Turn): object => ({ decide: spoil(decide) })

function beating(spoilt: Partial<LeaseWatch>) {
  return ({ Heartbeat }: typeof Heart): object => ({
    Heartbeat: class extends Heartbeat {
      constructor(clock: Clock, pulse: LeaseWatch) {
        super(clock, { ...pulse, ...spoilt })
      }
    },
  })
}

export const journalFaults: readonly JournalFault[] = [
  {
    name: 'runs a tool before that is written down',
    finds: /and the log does not know that it began/,
    file: 'journal/decide',
    spoil: deciding(decide => (state, command) => (command.do === 'start' ? { entries: [] } : decide(state, command))),
  },
  {
    name: 'runs again what may not run twice',
    finds: /ran a second time/,
    file: 'journal/recover',
    spoil: ({ recover }: typeof Recover): Partial<typeof Recover> => ({
      recover: (...known) => recover(...known)?.filter(({ outcome }) => outcome.state !== 'unknown'),
    }),
  },
  {
    name: 'lets a second decision count',
    finds: /decides call .* a second time/,
    file: 'journal/decide',
    spoil: deciding(decide => (state, command) => {
      if (command.do !== 'decide') return decide(state, command)
      const calls = new Map([...state.calls].map(([id, { decision: _, ...call }]) => [id, call]))
      return decide({ ...state, calls }, command)
    }),
  },
  {
    name: 'drops results that come late',
    finds: /, and it is lost/,
    file: 'journal/decide',
    spoil: deciding(decide => (state, command) => {
      const draft = decide(state, command)
      return draft.entries.some(({ kind }) => kind === 'call-late') ? { entries: [], why: 'settled' } : draft
    }),
  },
  {
    name: 'parks a turn that was interrupted',
    finds: /after turn-park by .* there is something to do/,
    file: 'journal/decide',
    spoil: deciding(decide => (state, command) => {
      if (command.do !== 'park' || !state.turn) return decide(state, command)
      const { interrupted: _, ...turn } = state.turn
      return decide({ ...state, turn }, command)
    }),
  },
  {
    name: 'ends an interrupted turn as if it had failed',
    finds: /turn-end at \d+ says failed, and it was interrupted/,
    file: 'journal/decide',
    spoil: deciding(decide => (state, command) => {
      if (command.do !== 'end' || !state.turn) return decide(state, command)
      const { interrupted: _, ...turn } = state.turn
      return decide({ ...state, turn }, command)
    }),
  },
  {
    name: 'lets a thread rest that others work on',
    finds: /after dueAt null by .* there is something to do/,
    file: 'journal/decide',
    spoil: (): Partial<typeof Turn> => ({ nextDueAt: () => null }),
  },
  {
    name: 'says input twice',
    finds: /says input \d+ a second time/,
    file: 'journal/decide',
    spoil: deciding(decide => (state, command) => {
      const draft = decide(state, command)
      const again = draft.entries.filter(({ kind }) => kind === 'input-admit')
      return command.do === 'begin' ? { ...draft, entries: [...draft.entries, ...again] } : draft
    }),
  },
  {
    name: 'does not make its leases longer',
    finds: /takes the turn from .*, which was there/,
    file: 'journal/heartbeat',
    spoil: beating({ renew: async () => true }),
  },
  {
    name: 'does not listen for interruptions',
    finds: /ms after the interruption/,
    file: 'journal/heartbeat',
    spoil: beating({ poll: async () => {} }),
  },
  {
    name: 'does not look at the calls that are open',
    finds: /stands while .* is open/,
    file: 'journal/effects',
    spoil: ({ effectsOf }: typeof Effects): Partial<typeof Effects> => ({
      effectsOf: (...write) => ({ ...effectsOf(...write), requiresAllSettled: false }),
    }),
    store: writesBehind,
  },
  {
    name: 'does not look at the calls that are settled',
    finds: /call-settle at \d+ comes for call .*, which is settled/,
    file: 'journal/effects',
    spoil: (): Partial<typeof Effects> => ({
      effectsOf: () => ({ opens: [], starts: [], settles: [], requiresAllSettled: false }),
    }),
    store: writesBehind,
  },
]
