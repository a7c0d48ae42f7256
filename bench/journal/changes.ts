import type { Write } from '../../src/journal/index.ts'
import type { Tape } from './tape.ts'

/** What a write of the tape changes in the tables, with nothing left to look up or to check. */
export interface Changes {
  head: number
  epoch: number
  /** The state, the lease and when the thread is due, where the write says anything of them. */
  standing?: { state: string; owner: string | null; leasedUntil: number; dueAt: number | null }
  /** With the data as the journal gets them: to write them as JSON is part of the work. */
  entries: { seq: number; kind: string; data: object }[]
  opens: Call[]
  starts: Call[]
  settles: Call[]
  input?: { key: string; digest: string }
}

export interface Call {
  step: number
  index: number
}

/** The changes of a whole tape, turn by turn. Only the times in them are made up. */
export function changesOf(tape: Tape): Changes[][] {
  const place = {
    head: 0,
    epoch: 0,
    state: 'idle',
    owner: null as string | null,
    leasedUntil: 0,
    dueAt: null as number | null,
  }
  const now = Date.now()
  return tape.map(writes =>
    writes.map(write => {
      const before = place.head
      place.head += write.entries.length
      if (write.lease)
        Object.assign(place, { epoch: place.epoch + 1, owner: write.lease.owner, leasedUntil: now + write.lease.ms })
      if (write.release) Object.assign(place, { owner: null, leasedUntil: 0 })
      if (write.state) place.state = write.state
      if (write.dueAt !== undefined) place.dueAt = write.dueAt === 'now' ? now : write.dueAt
      const { head, epoch, ...standing } = place
      return {
        ...{ head, epoch, ...(changesStanding(write) && { standing }) },
        entries: write.entries.map(({ kind, ...data }, index) => ({
          ...{ seq: before + 1 + index, kind, data },
        })),
        ...callsOf(write, before),
        ...(write.input && { input: write.input }),
      }
    }),
  )
}

const changesStanding = ({ lease, release, state, dueAt }: Write): boolean =>
  Boolean(lease || release || state || dueAt !== undefined)

function callsOf({ entries }: Write, before: number): Pick<Changes, 'opens' | 'starts' | 'settles'> {
  const calls = { opens: [] as Call[], starts: [] as Call[], settles: [] as Call[] }
  for (const [nth, entry] of entries.entries()) {
    if (entry.kind === 'call-start') calls.starts.push(entry.call)
    if (entry.kind === 'call-settle') calls.settles.push(entry.call)
    if (entry.kind === 'response-record')
      for (const index of entry.calls.keys()) calls.opens.push({ step: before + 1 + nth, index })
  }
  return calls
}
