/** Whether an error names a URL that was sent. Links to a documentation do not count. */
export const namesUrl = (text: string): boolean =>
  /(https?|file):\/\//.test(
    text.replaceAll(/\b(see|visit|refer to|documentation|docs|details)\b[^/]{0,30}https?:\/\/\S{1,300}/gi, ''),
  )

/** Whether an error says that the provider accepts no URL at all. */
export const rejectsAllUrls = (text: string): boolean =>
  /URLs? (are|is) not (currently )?(supported|allowed)/i.test(text)
