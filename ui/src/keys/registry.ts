// One registry of commands: it answers keys, fills the search box's actions and the list behind "?".
// A mounted page registers its commands and takes them away when it goes.
import type { TextId } from '#/i18n/text'
import { comboOf, isEditing, isTyped, type Press } from './combos'

export interface Command {
  id: string
  /** The text of its name. */
  title: TextId
  group: 'page' | 'go' | 'app'
  /** The combination of the profile "octavo"; profiles.ts has the others. */
  keys?: string
  run: () => void
  /** Why it cannot run now; it is listed with this reason. */
  disabled?: string
  /** Also while a field has focus; only for combinations that type nothing. */
  hidden?: boolean
}

const SEQUENCE_MS = 1200

export class KeyRegistry {
  private commands = new Map<string, Command>()
  private listeners = new Set<() => void>()
  private list: readonly Command[] = []
  private pending = ''
  private pendingAt = 0
  /** Combinations by command, from the person's profile and changes. */
  keysOf: (command: Command) => string | undefined = (command) => command.keys

  register(commands: readonly Command[]): () => void {
    for (const command of commands) this.commands.set(command.id, command)
    this.changed()
    return () => {
      for (const command of commands) {
        // The next page may have registered the same id before this one went.
        if (this.commands.get(command.id) === command) this.commands.delete(command.id)
      }
      this.changed()
    }
  }

  all = (): readonly Command[] => this.list

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  find(id: string): Command | undefined {
    return this.commands.get(id)
  }

  /** Whether a command took the key. */
  press(event: Press & { target?: EventTarget | null; timeStamp: number }): boolean {
    const combo = comboOf(event)
    if (isTyped(combo) && isEditing(event.target ?? null)) {
      this.pending = ''
      return false
    }
    const late = event.timeStamp - this.pendingAt > SEQUENCE_MS
    const sequence = this.pending && !late ? `${this.pending} ${combo}` : ''
    this.pending = ''
    const command = (sequence && this.by(sequence)) || this.by(combo)
    if (command) {
      if (!command.disabled) command.run()
      return true
    }
    if (this.list.some((one) => this.keysOf(one)?.startsWith(`${combo} `))) {
      this.pending = combo
      this.pendingAt = event.timeStamp
    }
    return false
  }

  private by(combo: string): Command | undefined {
    // The page's commands come before the application's: the nearer meaning wins.
    const found = this.list.filter((one) => this.keysOf(one) === combo)
    return found.find((one) => one.group === 'page') ?? found[0]
  }

  private changed() {
    this.list = [...this.commands.values()]
    for (const listener of this.listeners) listener()
  }
}

export const registry = new KeyRegistry()
