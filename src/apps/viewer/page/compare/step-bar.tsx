import { useEffect, useState } from 'preact/hooks'
import type { OpenedDocument } from '../../document-service.ts'

interface Props {
  readonly opened: OpenedDocument
  readonly step: number
  readonly onStep: (step: number) => void
}

/** Time to read the description of an edit while the edits play. */
const pauseMs = 1600

/** Steps through the edits of the repair, one at a time. */
export function StepBar({ opened: { steps, diagnostics }, step, onStep }: Props) {
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    if (!isPlaying) return
    if (step >= steps.length) return setPlaying(false)
    const timer = setTimeout(() => onStep(step + 1), pauseMs)
    return () => clearTimeout(timer)
  }, [isPlaying, step, steps.length, onStep])
  const edit = steps[step - 1]
  const diagnostic = edit && diagnostics[edit.diagnostic]
  const go = (to: number): void => {
    setPlaying(false)
    onStep(to)
  }
  const play = (): void => {
    if (!isPlaying && step >= steps.length) onStep(0)
    setPlaying(!isPlaying)
  }
  return (
    <section class="step-bar" aria-label="Step by step">
      <div class="step-controls">
        <button
          type="button"
          class="button"
          disabled={step <= 0}
          aria-label="Previous edit"
          onClick={() => go(step - 1)}
        >
          ‹
        </button>
        <button type="button" class="button" aria-label={isPlaying ? 'Pause' : 'Play the edits'} onClick={play}>
          {isPlaying ? '❚❚' : '►'}
        </button>
        <button
          type="button"
          class="button"
          disabled={step >= steps.length}
          aria-label="Next edit"
          onClick={() => go(step + 1)}
        >
          ›
        </button>
        <input
          type="range"
          aria-label="Edits"
          aria-valuetext={`after ${step} of ${steps.length} edits`}
          min={0}
          max={steps.length}
          value={step}
          onInput={({ currentTarget }) => go(Number(currentTarget.value))}
        />
        <output class="step-count">
          {step.toLocaleString('en')} of {steps.length.toLocaleString('en')}
        </output>
      </div>
      <p class="step-description" role="status">
        {edit ? (
          <>
            <code class={`step-rule ${diagnostic?.severity}`}>{diagnostic?.rule}</code> {edit.description}
            {diagnostic?.class && <span class="fix-class">{diagnostic.class}</span>}
          </>
        ) : (
          'The conversation before the repair. The next edit is the first of the repair.'
        )}
      </p>
    </section>
  )
}
