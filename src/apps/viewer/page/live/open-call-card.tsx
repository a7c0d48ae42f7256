import { useState } from 'preact/hooks'
import type { OpenCallFacts } from '../../protocol.ts'
import { ReasonForm } from './reason-form.tsx'
import { elapsedSince } from './times.ts'
import type { ThreadActions } from './use-actions.ts'
import { useFocusReturn } from './use-focus-return.ts'

interface OpenCallCardProps {
  readonly call: OpenCallFacts
  readonly now: number
  /** Absent where no action is possible. */
  readonly act?: ThreadActions['act']
  readonly isBusy: boolean
}

/** A call without a result: what it waits for, since when, and the buttons to decide. */
export function OpenCallCard({ call, now, act, isBusy }: OpenCallCardProps) {
  const [isDenying, setDenying] = useState(false)
  const deny = useFocusReturn(isDenying)
  const { id, name, input, inputLength, state, since, until, path } = call
  const isDecidable = state === 'approval' && act !== undefined
  return (
    <li class="live-card" data-call={id} data-call-state={state}>
      <p class="live-call">
        <CallSign state={state} /> <code>{name}</code>{' '}
        <span class="live-faint">
          {stateWords[state]}, for {elapsedSince(since, now)}
          {until !== undefined && until > now && `; the wait ends in ${elapsedSince(now, until)}`}
        </span>
      </p>
      {path && <p class="live-faint live-path">asked by {path.join(' › ')}</p>}
      {input !== '' && <pre class="live-input">{input}</pre>}
      {inputLength !== undefined && (
        <p class="live-faint">
          Only the start of the input: it has {inputLength.toLocaleString('en')} characters. The message with the call
          has all of it.
        </p>
      )}
      {isDecidable && !isDenying && (
        <p class="live-buttons">
          <button
            type="button"
            class="button primary"
            disabled={isBusy}
            aria-label={`Approve the call of ${name}`}
            onClick={() => void act({ do: 'approve', call: id })}
          >
            Approve
          </button>
          <button
            ref={deny}
            type="button"
            class="button"
            disabled={isBusy}
            aria-label={`Deny the call of ${name}`}
            onClick={() => setDenying(true)}
          >
            Deny …
          </button>
        </p>
      )}
      {isDecidable && isDenying && (
        <ReasonForm
          label="Reason for the denial (optional; the model sees it)"
          confirm={`Deny ${name}`}
          isBusy={isBusy}
          onCancel={() => setDenying(false)}
          onConfirm={reason => act({ do: 'deny', call: id, ...(reason === '' ? {} : { reason }) })}
        />
      )}
    </li>
  )
}

const stateWords: Record<OpenCallFacts['state'], string> = {
  recorded: 'not started',
  started: 'running',
  approval: 'waiting for approval',
  outside: 'waiting for an external result',
  agent: 'an agent works on it',
  approved: 'approved, not started',
}

const signs: Record<OpenCallFacts['state'], string> = {
  recorded: 'M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z',
  started: 'M3 1.5L10.2 6L3 10.5z',
  approval: 'M3.6 4.2a2.4 2.4 0 1 1 3.6 2.1C6.3 6.9 6 7.2 6 8M6 10.4v.1',
  outside: 'M2 6h7M6.2 2.8L9.4 6L6.2 9.2',
  agent: 'M6 1.5v3M2 10.5V7.5h8v3M6 4.5v3',
  approved: 'M2 6.5l2.8 2.8L10 3.4',
}

const CallSign = ({ state }: { readonly state: OpenCallFacts['state'] }) => (
  <svg class="live-sign" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" focusable="false">
    <path d={signs[state]} />
  </svg>
)
