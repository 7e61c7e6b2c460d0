// The search box is one of a kind; commands focus it by this.
let box: HTMLInputElement | null = null

export const setSearchBox = (input: HTMLInputElement | null) => {
  box = input
}

export function focusSearch() {
  box?.focus()
  box?.select()
}
