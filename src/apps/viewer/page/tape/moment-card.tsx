import type { FirstFailure } from '../../../../observe/tape/first-failure.ts'

/** The moment where it went wrong, with what led to it. */
export function MomentCard({ moment, onOpen }: { readonly moment: FirstFailure; onOpen(): void }) {
  return (
    <section class="tape-moment" aria-label="Where it went wrong">
      <h2>Where it went wrong</h2>
      <p class="tape-headline">{moment.headline}</p>
      <ul>
        {moment.story.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a story is told once, and its lines may be equal.
          <li key={index} class={line.startsWith(' ') ? 'tape-event' : ''}>
            {line.trim()}
          </li>
        ))}
      </ul>
      <p>
        <button type="button" class="button primary" onClick={onOpen}>
          Open request {moment.request} as a sheet
        </button>
      </p>
    </section>
  )
}
