// Keeps and finds what api/lastKnown.ts asks for. A browser that forbids storage has nothing.
import { store } from './store'

export async function keepKnown(key: string, value: unknown): Promise<void> {
  try {
    await (await store()).put('known', value, key)
  } catch {
    // Then the desk cannot be opened without the server.
  }
}

export async function readKnown<T>(key: string): Promise<T | undefined> {
  try {
    return (await (await store()).get('known', key)) as T | undefined
  } catch {
    return undefined
  }
}

export async function forget(): Promise<void> {
  try {
    await (await store()).clear('known')
  } catch {
    // Nothing was kept.
  }
}
