import type { FirstFailure } from '../../../../observe/tape/first-failure.ts'

/** The first failure of a tape, with what led to it. */
export function FirstFailureCard({ failure, onOpen }: { readonly failure: FirstFailure; onOpen(): void }) {
  return (
    <section class="tape-failure" aria-label="Where it went wrong">
      <h2>Where it went wrong</h2>
      <p class="tape-headline">{failure.headline}</p>
      <ul>
        {failure.story.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change, and may be equal.
          <li key={index} class={line.startsWith(' ') ? 'tape-event' : ''}>
            {line.trim()}
          </li>
        ))}
      </ul>
      <p>
        <button type="button" class="button primary" onClick={onOpen}>
          Open the messages of request {failure.request}
        </button>
      </p>
    </section>
  )
}
