/**
 * The status in the text of an error: at its beginning, as SDKs write it, after a word for it, or in brackets. Any other number may be a place in
 * the history: `messages.412`.
 */
export function statusIn(text: string): number | undefined {
  const found = status.exec(text.slice(0, 200))?.slice(1).find(Boolean)
  return found === undefined ? undefined : Number(found)
}

const status =
  /^\W{0,3}([45]\d\d)\b|\b(?:HTTP|HTTP\/[\d.]{1,3}|status|code|\w{0,40}error|\w{0,40}exception)\W{1,3}([45]\d\d)\b|(?<!\w)[[(]([45]\d\d)\b/i
