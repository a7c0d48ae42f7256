/** What Gemini says of turns that are out of order. Apart from the dialect, so that a bundle takes them without it. */

export const uncounted =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'

export const misplacedCall =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'

export const misplacedResponse =
  'Please ensure that function response turn comes immediately after a function call turn.'
