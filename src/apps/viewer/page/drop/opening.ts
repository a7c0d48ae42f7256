import { createContext } from 'preact'

/** What the buttons inside of a drop zone can do. */
export interface OpeningDeeds {
  /** Lets the user choose files. */
  choose(): void
  /** Opens a text. */
  paste(text: string): void
}

export const Opening = createContext<OpeningDeeds>({ choose: () => {}, paste: () => {} })
