import { useEffect, useState } from 'preact/hooks'
import type { Opened } from '../../desk.ts'

interface Props {
  readonly opened: Opened
  readonly step: number
  readonly onStep: (step: number) => void
}

/** Long enough to read a line and see where it happens. */
const pauseMs = 1600

/** Walks through the edits of the repair, one at a time. */
export function StepBar({ opened: { steps, marks }, step, onStep }: Props) {
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    if (!isPlaying) return
    if (step >= steps.length) return setPlaying(false)
    const timer = setTimeout(() => onStep(step + 1), pauseMs)
    return () => clearTimeout(timer)
  }, [isPlaying, step, steps.length, onStep])
  const edit = steps[step - 1]
  const mark = edit && marks[edit.mark]
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
      <p class="step-says" role="status">
        {edit ? (
          <>
            <code class={`step-rule ${mark?.severity}`}>{mark?.rule}</code> {edit.says}
            {mark?.class && <span class="fix-class">{mark.class}</span>}
          </>
        ) : (
          'The conversation as it was found. The next edit begins the repair.'
        )}
      </p>
    </section>
  )
}
