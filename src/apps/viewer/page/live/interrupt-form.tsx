import { useState } from 'preact/hooks'
import { ReasonForm } from './reason-form.tsx'
import type { Deeds } from './use-deeds.ts'
import { useReturn } from './use-return.ts'

interface InterruptFormProps {
  readonly turn: number
  readonly act: Deeds['act']
  readonly isBusy: boolean
}

/** Stops the turn that is on the screen, never the one that came after it. */
export function InterruptForm({ turn, act, isBusy }: InterruptFormProps) {
  const [isAsking, setAsking] = useState(false)
  const button = useReturn(isAsking)
  if (!isAsking)
    return (
      <p class="live-buttons">
        <button
          ref={button}
          type="button"
          class="button live-interrupt"
          disabled={isBusy}
          onClick={() => setAsking(true)}
        >
          Interrupt turn {turn} …
        </button>
      </p>
    )
  return (
    <ReasonForm
      label="Why it is interrupted"
      confirm={`Interrupt turn ${turn}`}
      isBusy={isBusy}
      isRequired
      onCancel={() => setAsking(false)}
      onConfirm={async reason => {
        if (await act({ do: 'interrupt', reason, turn })) setAsking(false)
      }}
    />
  )
}
