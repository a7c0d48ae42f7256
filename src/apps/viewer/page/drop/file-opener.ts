import { createContext } from 'preact'

/** What the buttons inside a drop zone can do. */
export interface FileOpenerActions {
  /** Opens the file dialog. */
  choose(): void
  /** Opens a text. */
  paste(text: string): void
}

export const FileOpener = createContext<FileOpenerActions>({ choose: () => {}, paste: () => {} })
