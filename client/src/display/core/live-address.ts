/** What a network has to let pass: for the sentence to whoever runs it. */
export const liveAddress = () => `${location.origin}/socket.io/`;
