/** A call, its result, and the line between them. */
export function Logo() {
  return (
    <svg class="logo" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M7 4.5C19 4.5 19 17.5 7 17.5" />
      <circle cx="6" cy="4.5" r="3" />
      <path class="diamond" d="M6 14 9.5 17.5 6 21 2.5 17.5Z" />
    </svg>
  )
}
