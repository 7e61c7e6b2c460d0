export async function loader() {}
export function BrowsePage() {
  return null
}
