/** Puts a text on the clipboard. A page that is opened from disk may have no clipboard API; then the text is selected and copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    const place = document.querySelector('dialog[open]') ?? document.body
    place.append(field)
    field.select()
    const isDone = document.execCommand('copy')
    field.remove()
    return isDone
  }
}
