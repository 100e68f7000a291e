//# title = "export default of a arrow is the program"
//# [expect]
//# result = '"arrow"'
export default async () => {
  return "arrow";
};
