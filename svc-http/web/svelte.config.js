/** @type {import('@sveltejs/vite-plugin-svelte').SvelteConfig} */
export default {
  compilerOptions: {
    // Scoped class names depend on the style alone, so that the build is the same in every folder.
    cssHash: ({ hash, css }) => `s-${hash(css)}`,
  },
};
