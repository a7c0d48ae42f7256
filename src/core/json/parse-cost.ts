/**
 * Whether a JSON text and its value take more than `max` bytes while it is parsed, at the least. The parser cannot be interrupted, and
 * a text such as `[{},{},{}]` becomes more than twenty times its length. An element costs its place in the list, and another one in a
 * list that the parser keeps until it knows how long the first has to be, and which no limit of the heap counts.
 */
export const costsMore = (text: string, max: number): boolean => parseCost(text, max) > max

/** How many bytes that are; any number above `max` if they are more. */
export function parseCost(text: string, max: number): number {
  let cost = text.length
  for (let at = 0; at < text.length && cost <= max; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      for (at++; at < text.length && text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++
      cost += 16
    } else if (code === brace) cost += 56
    else if (code === bracket) cost += 48
    else if (code === comma) cost += 16
  }
  return cost
}

const [quote, backslash, brace, bracket, comma] = [0x22, 0x5c, 0x7b, 0x5b, 0x2c]
