/** Where the browser keeps light, dark or auto. public/first-paint.js reads the same key. */
export const COLOR_SCHEME_KEY = "watchfloor.scheme";
