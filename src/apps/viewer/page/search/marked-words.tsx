/** The maximum number of highlighted matches per text. */
const matchesMax = 500

/** A text with the search words highlighted. */
export function MarkedWords({ text, words }: { readonly text: string; readonly words: string }) {
  const sought = words.toLowerCase()
  if (sought === '') return <>{text}</>
  const lower = text.toLowerCase()
  // A letter whose lower case has another length would shift all following positions.
  if (lower.length !== text.length) return <>{text}</>
  const pieces = []
  let from = 0
  for (let at = lower.indexOf(sought); at >= 0 && pieces.length < matchesMax * 2; at = lower.indexOf(sought, from)) {
    pieces.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + sought.length)}</mark>)
    from = at + sought.length
  }
  return (
    <>
      {pieces}
      {text.slice(from)}
    </>
  )
}
