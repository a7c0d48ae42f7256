/** A path as Anthropic writes it: `messages.2.content.0`. */
export const dotted = (at: string): string => at.replace(/\[(\d+)\]/g, '.$1')
